# Replaces the running version with a new one, after a backup. Run it as Administrator. -Installed: the new folder already contains its packages.
# This script has not been run on Windows; docs/operators/windows.md says what was tested.
param(
  [Parameter(Mandatory)][string]$NewVersion,
  [string]$Program = 'C:\Program Files\TPWebServices',
  [string]$Data = 'C:\ProgramData\TPWebServices',
  [switch]$Installed
)
$ErrorActionPreference = 'Stop'

# rmdir does not follow the links that npm makes in node_modules; Remove-Item of Windows PowerShell 5.1 may.
function Remove-Folder([string]$Folder) {
  if (-not (Test-Path $Folder)) { return }
  & cmd.exe /c rmdir /s /q $Folder
  if (Test-Path $Folder) { throw "$Folder could not be removed" }
}

# Everything that is slow or may fail happens before the service stops, so an error here does not interrupt it.
Get-ChildItem $NewVersion -Recurse -File | Unblock-File
if (-not $Installed) {
  Push-Location $NewVersion
  try {
    & npm.cmd ci '--omit=dev'
    if ($LASTEXITCODE -ne 0) { throw "npm ci ended with $LASTEXITCODE" }
  } finally {
    Pop-Location
  }
}
Remove-Folder "$Program.new"
Copy-Item -Recurse $NewVersion "$Program.new"
Remove-Folder "$Program.previous"
& powershell.exe -NoProfile -ExecutionPolicy Bypass -File "$Program\deploy\windows\backup.ps1" -Program $Program -Data $Data
if ($LASTEXITCODE -ne 0) { throw 'The backup failed; nothing was changed.' }

Stop-Service tpwebservices
try {
  Move-Item $Program "$Program.previous"
  Move-Item "$Program.new" $Program
} catch {
  # A window or a program that uses the folder prevents the move.
  if (-not (Test-Path $Program)) { Move-Item "$Program.previous" $Program }
  Start-Service tpwebservices
  throw
}
Start-Service tpwebservices
Write-Output "To go back: Stop-Service tpwebservices; exchange $Program and $Program.previous; restore the backup if the changelog asks for it; Start-Service tpwebservices."
