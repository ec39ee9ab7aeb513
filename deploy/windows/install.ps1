# Installs TPWebServices as a Windows service: rights, service, nightly backup. Run as Administrator. It starts nothing: settings and a
# database come first.
# Not run: there was neither Windows nor PowerShell to try it. docs/windows.md explains each step.
param(
  [Parameter(Mandatory)][string]$WinSW,
  [string]$Program = 'C:\Program Files\TPWebServices',
  [string]$Data = 'C:\ProgramData\TPWebServices'
)
$ErrorActionPreference = 'Stop'

function Invoke-Checked([string]$Command, [string[]]$Arguments) {
  & $Command @Arguments
  if ($LASTEXITCODE -ne 0) { throw "$Command ended with $LASTEXITCODE" }
}

foreach ($folder in $Data, "$Data\data", "$Data\logs", "$Data\secrets", "$Data\backups", "$Data\service") {
  New-Item -ItemType Directory -Force -Path $folder | Out-Null
}
Copy-Item $WinSW "$Data\service\tpwebservices.exe"
if (-not (Test-Path "$Data\service\tpwebservices.xml")) {
  Copy-Item "$Program\deploy\windows\tpwebservices.xml" "$Data\service\tpwebservices.xml"
}

Invoke-Checked "$Data\service\tpwebservices.exe" @('install')
# An account of its own, without a password and without rights, that Windows makes with the service.
Invoke-Checked 'sc.exe' @('config', 'tpwebservices', 'obj=', 'NT SERVICE\tpwebservices')
# Patients' data: nobody else on the machine reads them. S-1-5-18 is SYSTEM, S-1-5-32-544 are the Administrators, in any language.
Invoke-Checked 'icacls.exe' @($Data, '/inheritance:r', '/grant:r', '*S-1-5-18:(OI)(CI)F', '*S-1-5-32-544:(OI)(CI)F', 'NT SERVICE\tpwebservices:(OI)(CI)RX')
# Not to service and backups: the scheduled task runs as SYSTEM what the service's definition names.
foreach ($folder in 'data', 'logs') {
  Invoke-Checked 'icacls.exe' @("$Data\$folder", '/grant:r', 'NT SERVICE\tpwebservices:(OI)(CI)M')
}

$backup = New-ScheduledTaskAction -Execute 'powershell.exe' -WorkingDirectory $Data `
  -Argument "-NoProfile -ExecutionPolicy Bypass -File `"$Program\deploy\windows\backup.ps1`" -Program `"$Program`" -Data `"$Data`""
$settings = New-ScheduledTaskSettingsSet -StartWhenAvailable -ExecutionTimeLimit (New-TimeSpan -Hours 2)
Register-ScheduledTask -TaskName 'TPWebServices backup' -Action $backup -Settings $settings -User 'SYSTEM' -RunLevel Highest -Force `
  -Trigger (New-ScheduledTaskTrigger -Daily -At '02:30') | Out-Null

Write-Output "Next: the settings in $Data\service\tpwebservices.xml, a database, and Start-Service tpwebservices; see docs\windows.md."
