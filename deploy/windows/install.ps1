# Installs TPWebServices as a Windows service, and sets up its file permissions and nightly backup. Run it as Administrator; it can be run again.
# It does not start the service, which first needs settings and a database. docs/operators/windows.md explains each step.
# This script has not been run on Windows; docs/operators/windows.md says what was tested.
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

# Every user may create folders in ProgramData. What somebody else has put there could make the service, or the backup as SYSTEM, run that user's
# program. S-1-5-18 is SYSTEM and S-1-5-32-544 is the Administrators group, in any language.
if (Test-Path $Data) {
  $found = @(Get-Item -Force $Data) + @(Get-ChildItem -Force $Data) + @(Get-ChildItem -Force -Recurse "$Data\service" -ErrorAction SilentlyContinue)
  foreach ($item in $found) {
    $owner = (Get-Acl $item.FullName).GetOwner([Security.Principal.SecurityIdentifier]).Value
    if ($owner -notin 'S-1-5-18', 'S-1-5-32-544') {
      throw "$($item.FullName) belongs to another user ($owner). Look at what it contains; then delete it, or run icacls with /setowner."
    }
    if ($item.Attributes -band [IO.FileAttributes]::ReparsePoint) { throw "$($item.FullName) is a link. Delete it." }
  }
}
New-Item -ItemType Directory -Force -Path $Data | Out-Null
Invoke-Checked 'icacls.exe' @($Data, '/inheritance:r', '/grant:r', '*S-1-5-18:(OI)(CI)F', '*S-1-5-32-544:(OI)(CI)F')
foreach ($folder in "$Data\data", "$Data\logs", "$Data\cache", "$Data\secrets", "$Data\backups", "$Data\service") {
  New-Item -ItemType Directory -Force -Path $folder | Out-Null
}
$definition = "$Data\service\tpwebservices.xml"
if (-not (Test-Path $definition)) {
  $text = [IO.File]::ReadAllText("$Program\deploy\windows\tpwebservices.xml")
  $text = $text.Replace('C:\Program Files\TPWebServices', $Program).Replace('C:\ProgramData\TPWebServices', $Data)
  [IO.File]::WriteAllText($definition, $text)
}

if (-not (Get-Service tpwebservices -ErrorAction SilentlyContinue)) {
  Copy-Item $WinSW "$Data\service\tpwebservices.exe"
  # Windows may refuse to start a program that is marked as downloaded.
  Unblock-File "$Data\service\tpwebservices.exe"
  Invoke-Checked "$Data\service\tpwebservices.exe" @('install')
}
# The service's own account, without a password or rights, which Windows creates with the service.
Invoke-Checked 'sc.exe' @('config', 'tpwebservices', 'obj=', 'NT SERVICE\tpwebservices')
# Nobody else on the machine may read patient data.
Invoke-Checked 'icacls.exe' @($Data, '/grant:r', 'NT SERVICE\tpwebservices:(OI)(CI)RX')
# The service may not write to service and backups, because the scheduled task runs what the service's definition names as SYSTEM.
foreach ($folder in 'data', 'logs', 'cache') {
  Invoke-Checked 'icacls.exe' @("$Data\$folder", '/grant:r', 'NT SERVICE\tpwebservices:(OI)(CI)M')
}

$backup = New-ScheduledTaskAction -Execute 'powershell.exe' -WorkingDirectory $Data `
  -Argument "-NoProfile -ExecutionPolicy Bypass -File `"$Program\deploy\windows\backup.ps1`" -Program `"$Program`" -Data `"$Data`""
$settings = New-ScheduledTaskSettingsSet -StartWhenAvailable -ExecutionTimeLimit (New-TimeSpan -Hours 2)
Register-ScheduledTask -TaskName 'TPWebServices backup' -Action $backup -Settings $settings -User 'SYSTEM' -RunLevel Highest -Force `
  -Trigger (New-ScheduledTaskTrigger -Daily -At '02:30') | Out-Null

# For `tpws doctor` in the next PowerShell window.
$path = [Environment]::GetEnvironmentVariable('Path', 'Machine')
if (($path -split ';') -notcontains "$Program\deploy\windows\bin") {
  [Environment]::SetEnvironmentVariable('Path', "$path;$Program\deploy\windows\bin", 'Machine')
}

Write-Output "Next: the settings in $definition, a database, and Start-Service tpwebservices; see docs\operators\windows.md."
